#!/bin/sh
# A server that warms up for some seconds: serve.sh PORT
mkdir -p /tmp/www
httpd -p "127.0.0.1:$1" -h /tmp/www
sleep 5
touch /tmp/warm
sleep 5
touch /tmp/www/ready
trap 'exit 143' TERM
while :; do sleep 0.1; done
