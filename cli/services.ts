/** The services that the environment names, for each command that starts an exchange (docs/deployment.md). */
import { ConfigurationError, readServices } from '../sim/server/configuration/read-configuration.ts';
import { serviceOptionsOf } from '../sim/server/configuration/sim-options.ts';
import type { SimOptions } from '../sim/server/start-sim.ts';
import { IN_MEMORY } from '../sim/store/database.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';

/** The options of an exchange that depend on the environment. */
export type ServiceOptions = Pick<SimOptions, 'redis' | 'relay' | 'relayCheck' | 'janus'> & {
  readonly database: string;
};

interface ServicesOfEnvironment {
  readonly options: ServiceOptions;
  /** The line that names the variables in use, with its end. Empty without any: everything is embedded. */
  readonly line: string;
  /** The setting that names the database, for messages. */
  readonly databaseSetting: string;
}

/**
 * Reads the services from the environment.
 *
 * @param database - the value of `--database`, which replaces that of the environment. Default: none.
 * @throws CommandError with a line for each fault.
 */
export function servicesOfEnvironment(
  database?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ServicesOfEnvironment {
  const { services, variables } = read(environment, database === undefined ? [] : ['database.url']);
  return {
    options: { ...serviceOptionsOf(services), database: database ?? services.database?.url ?? IN_MEMORY },
    databaseSetting: variables.find((name) => name.includes('DATABASE_URL')) ?? '--database',
    line: variables.length === 0 ? '' : `services  ${variables.join(', ')}\n`,
  };
}

function read(environment: Readonly<Record<string, string | undefined>>, without: readonly 'database.url'[]) {
  try {
    return readServices(environment, without);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(error.message, EXIT.usage, { cause: error });
  }
}
