/** `ringback cluster`: starts several nodes of one service behind a balancer, until Ctrl-C. */
import { Command, Option } from 'commander';
import type { ClusterOptions } from '../actions/cluster.ts';
import { parseNumberedUsers } from '../arguments/load-values.ts';
import { parseCount, parsePort, parsePositiveDuration } from '../arguments/values.ts';
import { DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import type { CommandModule } from './command-module.ts';
import { logLevelOption } from './server-options.ts';

export const cluster: CommandModule = {
  declare(exit) {
    return new Command('cluster')
      .summary('start several nodes of one service behind a balancer')
      .description(
        'Start several nodes of one service on this machine, each in a process of its own, behind a TCP balancer. DATABASE_URL names their PostgreSQL, and REDIS_URL their Redis. Ctrl-C ends them.',
      )
      .addOption(new Option('--nodes <count>', 'the nodes').argParser(parseCount).default(3))
      .option('--port <port>', 'the port of the balancer; 0 selects any free port', parsePort, DEFAULT_PORT)
      .addOption(
        new Option('--drain <time>', 'how long a node that drains waits for its calls')
          .argParser(parsePositiveDuration)
          .default(30_000, '30s'),
      )
      .option(
        '--users <prefix/count>',
        'test users like load/400 for load-1 to load-400, instead of the demo users',
        parseNumberedUsers,
      )
      .addOption(logLevelOption())
      .addHelpText('after', HELP)
      .action(async (options: ClusterOptions) => {
        (await import('../open-files.ts')).checkOpenFiles();
        const action = await import('../actions/cluster.ts');
        exit(await action.cluster(options));
      });
  },
};

const HELP = `
Words on standard input, each on a line:
  kill 2      ends the process of node 2 at once, as a crash does
  drain 2     lets node 2 drain and stop
  start       starts another node
  upgrade     drains each node in turn, after it has started another one
  status      lists the nodes with their connections

Exit codes:
  0 stopped by Ctrl-C, 2 wrong usage, 4 a node did not start, 70 an internal fault

Examples:
  DATABASE_URL=postgres://… REDIS_URL=redis://127.0.0.1 ringback cluster --nodes 3
                                     three nodes behind ${DEFAULT_SERVER}, with the demo users
  ringback cluster --users load/400  with users for "ringback load --server ${DEFAULT_SERVER} --users load/400"
`;
