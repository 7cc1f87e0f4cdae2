/** `ringback history`: lists the ended calls of a user. */
import { Command } from 'commander';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { parseUser } from '../arguments/values.ts';
import { DEFAULT_CALLER } from '../defaults.ts';
import { accessTokenOf } from '../secret-warnings.ts';
import type { CommandModule } from './command-module.ts';
import { addViewOptions, type ViewOptions } from './view-options.ts';

interface HistoryOptions extends ViewOptions {
  readonly as: string;
  readonly appId: string;
  readonly token?: string;
}

export const history: CommandModule = {
  declare(exit) {
    const command = new Command('history')
      .summary('list the ended calls of a user')
      .description('Sign in as a user, and list the ended calls of the user, newest first.')
      .option('--as <user>', 'the user', parseUser, DEFAULT_CALLER)
      .option('--app-id <id>', 'the application id', DEFAULT_APP_ID)
      .option('--token <token>', 'the access token of the user; RINGBACK_TOKEN hides it from the list of processes');
    return addViewOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async ({ as: userId, server, appId, token: option, limit, json = false }: HistoryOptions) => {
        const token = accessTokenOf(option);
        const user = { server, appId, userId, ...(token === undefined ? {} : { token }) };
        exit(await (await import('../actions/history.ts')).history(user, { limit, json }));
      });
  },
};

const EXAMPLES = `
Examples:
  ringback history --as bob                        as a table
  ringback history --as bob --json | jq '.calls'   for other programs

Environment:
  RINGBACK_SERVER the exchange, RINGBACK_TOKEN the access token of the user
`;
