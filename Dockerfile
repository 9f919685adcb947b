# How to build and run it: docs/operating.md, "In a container".
FROM node:24-bookworm-slim
WORKDIR /opt/tollgate
COPY . .
# Any command installs what the lock file names, without the packages of developers; this one does nothing else.
RUN NODE_ENV=production ./tollgate help > /dev/null \
 && node run.mjs bundle \
 && mkdir /data && chown node:node /data
# PostgreSQL does not start for root here.
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 4020
ENTRYPOINT ["./tollgate"]
CMD ["start"]
