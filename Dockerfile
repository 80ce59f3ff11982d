# The service, without what is needed to build it. Give a token: docker run -e PAGESTRATA_TOKEN=… -p 8070:8070 IMAGE
FROM python:3.12-slim-bookworm AS build
WORKDIR /build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE ./
COPY src src
RUN python -m venv /opt/pagestrata && /opt/pagestrata/bin/pip install --no-cache-dir ".[server,postgres]"

FROM python:3.12-slim-bookworm
RUN useradd --system --uid 10001 --create-home --home-dir /data pagestrata
COPY --from=build /opt/pagestrata /opt/pagestrata
ENV PATH=/opt/pagestrata/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PAGESTRATA_STORE=/data/sites.db
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8070
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8070/health', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["pagestrata"]
CMD ["serve", "--host", "0.0.0.0"]
