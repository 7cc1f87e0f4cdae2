import { createRequire } from 'node:module';
import type { Log } from '../../exchange/logging/log.ts';
import type { Tracing } from './tracing.ts';

/** The variable of OpenTelemetry that turns traces on. */
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
/** The package that sends spans. It is not among the dependencies, since most servers send none. */
const SDK = '@opentelemetry/sdk-node';

interface Sdk {
  start(): void;
  shutdown(): Promise<void>;
}

interface SdkModule {
  readonly NodeSDK: new (options: { readonly serviceName: string; readonly instrumentations: readonly [] }) => Sdk;
}

const isSdk = (loaded: unknown): loaded is SdkModule =>
  typeof loaded === 'object' && loaded !== null && 'NodeSDK' in loaded && typeof loaded.NodeSDK === 'function';

/**
 * Opens the traces when the environment names a receiver. Returns null otherwise, and nothing of OpenTelemetry is loaded.
 * An SDK that `node --import` has registered is used as it is. Without any SDK the log has a line, and there are no traces.
 *
 * @param load - loads a package by its name.
 */
export async function openTracing(
  environment: Readonly<Record<string, string | undefined>>,
  log: Pick<Log, 'warn'>,
  load: (name: string) => unknown = createRequire(import.meta.url),
): Promise<Tracing | null> {
  if (!environment[ENDPOINT]) return null;
  const { isRegistered, OpenTelemetry } = await import('./open-telemetry.ts');
  if (isRegistered()) return new OpenTelemetry(() => Promise.resolve());
  const loaded = loadedBy(load);
  if (!isSdk(loaded)) {
    log.warn(`${ENDPOINT} is set, and there are no traces: install ${SDK}, or register an SDK with node --import`);
    return null;
  }
  const sdk = new loaded.NodeSDK({ serviceName: environment['OTEL_SERVICE_NAME'] ?? 'ringback', instrumentations: [] });
  sdk.start();
  return new OpenTelemetry(() => sdk.shutdown().catch(() => undefined));
}

/** Returns the package of the SDK. Null when it is not installed. */
function loadedBy(load: (name: string) => unknown): unknown {
  try {
    return load(SDK);
  } catch {
    return null;
  }
}
