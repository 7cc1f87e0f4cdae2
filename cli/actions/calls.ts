/** The action of `ringback calls`: lists the live calls of an exchange. */
import { readView } from '../admin-requests.ts';
import type { ViewOptions } from '../commands/view-options.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { tableOf } from '../reporters/table.ts';

export async function calls({ server, limit, json = false }: ViewOptions): Promise<number> {
  const { out, err } = processOutput;
  const answer = await readView('adminCalls', server, limit);
  const rows = answer.calls.map(({ call_id, caller, callee, is_video_call, state, created_at }) => [
    call_id,
    caller,
    callee,
    is_video_call ? 'video' : 'audio',
    state,
    new Date(created_at).toISOString(),
  ]);
  if (json) out.write(`${JSON.stringify(answer)}\n`);
  else if (rows.length === 0) err.write('No calls are live.\n');
  else out.write(tableOf(['call', 'caller', 'callee', 'media', 'state', 'dialled'], rows));
  if (answer.has_more) err.write('There are more: raise --limit.\n');
  return EXIT.ok;
}
