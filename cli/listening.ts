/** Starts a server. Turns a failure of the port, address, database or script into one line with a remedy. */
import { UnknownScript } from '../sim/scripts/choose-script.ts';
import { ClusterError } from '../sim/server/cluster-node.ts';
import { ListenError } from '../sim/server/listen.ts';
import { StoreError } from '../sim/store/store-error.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';

/**
 * @param option - the option that selects another port.
 * @param database - the setting that names the database.
 */
export async function listening<Server>(
  option: string,
  start: () => Promise<Server>,
  database = '--database',
): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof StoreError) {
      throw new CommandError(`${database}: ${error.message}`, EXIT.environment, { cause: error });
    }
    if (error instanceof ClusterError) throw new CommandError(error.message, EXIT.environment, { cause: error });
    if (error instanceof UnknownScript) throw new CommandError(error.message, EXIT.usage, { cause: error });
    if (!(error instanceof ListenError)) throw error;
    throw new CommandError(`${error.message.replace(/\.$/, '')}: ${wayOut(error, option)}.`, EXIT.environment, {
      cause: error,
    });
  }
}

function wayOut({ fault, code }: ListenError, option: string): string {
  if (fault === 'address') return 'choose an address of this machine with --host';
  if (fault === 'files') return 'raise its limit (ulimit -n)';
  const another = `choose another with ${option}`;
  return code === 'EADDRINUSE' ? `${another}, or stop the program that uses it` : another;
}
