# One image for web, worker and beat; docker-compose.yml says which is which.
# What stands behind PYTHON_IMAGE may name a digest: docs/hardening.md.
ARG PYTHON_IMAGE=python:3.12-slim
FROM ${PYTHON_IMAGE} AS build
WORKDIR /app
COPY requirements/base.txt requirements/base.txt
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements/base.txt

FROM ${PYTHON_IMAGE}
# pg_dump and pg_restore, for `manage.py backup`.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 desk && install -d -o desk /data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py ./
COPY compliance compliance
COPY ownership ownership
COPY papers papers
COPY reviews reviews
COPY webhooks webhooks
COPY agenthub agenthub
COPY checks checks
COPY templates templates
COPY locale locale
COPY static static
# MALLOC_ARENA_MAX: the memory of processes with many threads, docs/performance.md.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 VAR=/data MALLOC_ARENA_MAX=2
USER desk
# The static files are part of the image: every web container serves the same. So are the fonts of
# reports, which would else be made when somebody asks for the first report.
ENV VENDORED_DIR=/home/desk/vendored
RUN VAR=/tmp/build STATIC_ROOT=/home/desk/static python manage.py collectstatic --no-input
ENV STATIC_ROOT=/home/desk/static
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--no-ws", "--host", "0.0.0.0", "--port", "8000", \
     "--workers", "2", "--blocking-threads", "8", "--respawn-failed-workers", \
     "--workers-kill-timeout", "15", \
     "compliance.wsgi:application"]
