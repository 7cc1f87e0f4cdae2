# Janus of Debian 12, which the figures of docs/adr/0028-room-media-engines.md are from.
#   docker build -f docs/deploy/janus.Dockerfile -t ringback-janus docs/deploy
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends janus \
  && rm -rf /var/lib/apt/lists/*
COPY janus/ /etc/ringback-janus/
USER 65534:65534
EXPOSE 8188
HEALTHCHECK --interval=10s --timeout=5s --retries=3 CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8188"]
# The secret and the public address come from the environment of the container.
ENTRYPOINT ["bash", "-c", "exec janus --configs-folder=/etc/ringback-janus --apisecret=\"$(cat /run/secrets/janus_secret)\" --nat-1-1=\"$PUBLIC_ADDRESS\" --rtp-port-range=20000-20499"]
