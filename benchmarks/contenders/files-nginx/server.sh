#!/bin/sh
# One worker, the kernel's sendfile, no access log: as the documentation has it
# for static files. Its own folder holds what it writes, so that it needs no
# right to the system's.
set -eu
folder=$(mktemp -d)
cat > "$folder/nginx.conf" <<CONF
daemon off;
worker_processes 1;
pid $folder/nginx.pid;
error_log $folder/error.log;
events {
  worker_connections 4096;
}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  types {
    text/plain txt;
  }
  server {
    listen 127.0.0.1:$PORT reuseport;
    root $FILES;
  }
}
CONF
nginx -t -q -c "$folder/nginx.conf"
echo "listening on http://localhost:$PORT"
exec nginx -c "$folder/nginx.conf"
