# The server, the ffmpeg that makes and reads videos, and nothing that runs as root. Every step is a make target.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY . .
# What `atelier version` says; the folder comes without git, which knows it elsewhere.
ARG VERSION
RUN make build VERSION="$VERSION" && mkdir -p /out/data

FROM debian:bookworm-slim
COPY --from=build /src/scripts/ffmpeg /usr/local/sbin/set-up-ffmpeg
RUN set-up-ffmpeg && rm -rf /var/lib/apt/lists/* /usr/local/sbin/set-up-ffmpeg
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/build/atelier /atelier
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV ATELIER_DATA=/data HOME=/data
VOLUME /data
# In a container the studio is reached from outside: it listens at every address and so wants TLS, or a proxy it may trust, to be named
# (docs/operations.md, "In a container").
ENV ATELIER_LISTEN=:8080
EXPOSE 8080
ENTRYPOINT ["/atelier"]
