import { ConfigurationError, readConfiguration } from '../sim/server/configuration/read-configuration.ts';
import type { Configuration } from '../sim/server/configuration/schema.ts';
import { simOptionsOf } from '../sim/server/configuration/sim-options.ts';
import { Log } from '../sim/exchange/logging/log.ts';
import { nodeClock } from '../sim/server/node-ports.ts';
import { collectRarely } from '../sim/server/operations/rare-collections.ts';
import { openTracing } from '../sim/server/tracing/open-tracing.ts';
import { createJsonLog } from '../sim/server/operations/json-log.ts';
import { startSim } from '../sim/server/start-sim.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';
import { listening } from './listening.ts';
import { processOutput } from './process-output.ts';
import { untilStopped } from './until-stopped.ts';
import { readVersion } from './version.ts';

/**
 * Runs a deployment until it is stopped, drains it, and returns the exit code.
 *
 * @param file - the path of the configuration. Undefined for the environment alone.
 * @throws CommandError with a line for each fault of the configuration.
 */
export async function serveConfigured(file: string | undefined): Promise<number> {
  const configured = read(file);
  const sink = createJsonLog(configured.logLevel);
  collectRarely();
  const tracing = await openTracing(process.env, new Log(sink, nodeClock));
  const running = await listening(
    'port',
    () => startSim({ ...simOptionsOf(configured), version: readVersion(), log: sink, ...(tracing ? { tracing } : {}) }),
    'database.url (DATABASE_URL)',
  );
  processOutput.out.write(
    `exchange  ${running.url}  application ${configured.appId}  public ${configured.publicUrl}\n`,
  );
  const exitCode = await untilStopped(sink);
  await running.drain(configured.drainMs);
  await running.close();
  await tracing?.close();
  return exitCode;
}

function read(file: string | undefined): Configuration {
  try {
    return readConfiguration({ file, environment: process.env });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(error.message, EXIT.usage, { cause: error });
  }
}
