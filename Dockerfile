# Builds the package, and installs it into an image without the tools that built it.
FROM node:22-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /

FROM node:22-slim
COPY --from=build /fake-calendar-*.tgz /tmp/
RUN npm install --global --ignore-scripts /tmp/fake-calendar-*.tgz && rm /tmp/fake-calendar-*.tgz
USER node
ARG PORT=8787
ENV PORT=$PORT
EXPOSE $PORT
HEALTHCHECK --interval=2s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/_control/health`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["fake-calendar"]
CMD ["--host", "0.0.0.0"]
