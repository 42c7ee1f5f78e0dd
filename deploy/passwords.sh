#!/bin/sh
# Runs once, at the first start of PostgreSQL's container, after roles.sql.
set -eu
# psql reads them itself: everybody on the machine may read the arguments of a process.
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --quiet <<'SQL'
\set owner `cat /run/secrets/owner_password`
\set desk `cat /run/secrets/desk_password`
ALTER ROLE desk_owner PASSWORD :'owner';
ALTER ROLE desk PASSWORD :'desk';
SQL
