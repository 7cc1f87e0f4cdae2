/** The action of `ringback users`: lists the users of an exchange. */
import { readView } from '../admin-requests.ts';
import type { ViewOptions } from '../commands/view-options.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { tableOf } from '../reporters/table.ts';

export async function users({ server, limit, json = false }: ViewOptions): Promise<number> {
  const { out, err } = processOutput;
  const answer = await readView('adminUsers', server, limit);
  const rows = answer.users.map(({ user_id, nickname, presence, devices, has_signed_in }) => [
    user_id,
    nickname,
    has_signed_in ? presence : 'never signed in',
    String(devices),
  ]);
  if (json) out.write(`${JSON.stringify(answer)}\n`);
  else if (rows.length === 0) err.write('The exchange knows no users.\n');
  else out.write(tableOf(['user', 'name', 'state', 'devices'], rows));
  if (answer.has_more) err.write('There are more: raise --limit.\n');
  return EXIT.ok;
}
