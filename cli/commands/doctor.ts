/** `ringback doctor`: checks this machine, or a running exchange and the page that uses it. */
import { Command } from 'commander';
import type { DoctorOptions } from '../actions/doctor.ts';
import { parsePage, parseServer } from '../arguments/values.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { CommandModule } from './command-module.ts';

export const doctor: CommandModule = {
  declare(exit) {
    return new Command('doctor')
      .summary('check this machine, or an exchange and the page that uses it')
      .description('Check this machine and its services, or with --server an exchange and the page that uses it.')
      .option('--server <url>', 'check this exchange instead of the machine', parseServer)
      .option('--page <url>', 'also check the page that uses the exchange: its policies, and its origin', parsePage)
      .option('--json', 'print one JSON object at the end')
      .addHelpText('after', HELP)
      .action(async (options: DoctorOptions) => {
        if (options.page !== undefined && options.server === undefined) {
          throw new CommandError('--page needs --server, the exchange that the page uses.', EXIT.usage);
        }
        const action = await import('../actions/doctor.ts');
        exit(await action.doctor(options));
      });
  },
};

const HELP = `
Examples:
  ringback doctor                       this machine: Node, media engine, Chromium, ports, UDP, clock, services
  ringback doctor --server https://calls.example --page https://app.example
                                        https, websockets, CORS, policies of the page, versions, session length
  ringback doctor --json                one JSON object, for other programs

Environment:
  DATABASE_URL, REDIS_URL, TURN_URL with TURN_SECRET, JANUS_URL name the services to check

Exit codes:
  0 nothing fails (there may be warnings), 2 wrong usage, 4 something fails, 130 interrupted
`;
