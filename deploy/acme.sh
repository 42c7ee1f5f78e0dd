#!/bin/sh
# Runs in the container `acme` of deploy/acme.yml: gets the certificate of the desk's name, and renews it.
set -eu
case "$DESK_URL" in
  https://*) ;;
  *) echo "DESK_URL must begin with https://" >&2; exit 1 ;;
esac
name=${DESK_URL#https://}
name=${name%%[:/]*}
umask 077
while true; do
  # Does nothing while the certificate is good for another month.
  certbot certonly --standalone --non-interactive --agree-tos --register-unsafely-without-email \
    --server "$ACME_SERVER" --domain "$name" --cert-name desk --keep-until-expiring || echo "no certificate yet" >&2
  if [ -s /etc/letsencrypt/live/desk/fullchain.pem ]; then
    cp -L /etc/letsencrypt/live/desk/privkey.pem /certificates/desk.key
    cp -L /etc/letsencrypt/live/desk/fullchain.pem /certificates/desk.pem
  fi
  sleep 43200
done
