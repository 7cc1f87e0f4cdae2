/**
 * The process that holds the worlds of a test process. worlds-process.ts forks it, and kills it. A process that has
 * created media with the native engine may crash as it ends.
 */
import { deleteExchangeFolders } from '../../worlds/real/exchange-here.ts';
import type { KitCommand, KitReply, KitRequest } from '../kit-messages.ts';
import { type KitWorld, openKitWorld } from './kit-world.ts';
import { WrongUse } from './read-step.ts';

const worlds = new Map<number, KitWorld>();

const emit = (reply: KitReply) => {
  if (process.connected) process.send?.(reply);
};

async function execute(number: number, command: KitCommand): Promise<unknown> {
  if (command.type === 'open') {
    const opened = await openKitWorld(command);
    worlds.set(number, opened);
    return opened.addresses;
  }
  const world = worlds.get(number);
  if (!world) throw new WrongUse('the world is closed');
  switch (command.type) {
    case 'step':
      return world.step(command);
    case 'answer':
      return world.answer(command);
    case 'perceive':
      return world.perceive(command);
    case 'read':
      return world.value(command.path);
    case 'clear':
      return world.clear(command);
    case 'messages':
      return world.messages(command);
    case 'begin-advance':
      return world.beginAdvance(command);
    case 'advance':
      return world.advance(command);
    case 'restart':
      return world.restart();
    case 'ladder':
      return world.ladder(command);
    case 'close':
      worlds.delete(number);
      await world.close();
      return undefined;
    default:
      return command satisfies never;
  }
}

process.on('message', ({ id, world, command }: KitRequest) => {
  void execute(world, command).then(
    (value) => emit({ type: 'done', id, value }),
    (error: unknown) => emit({ type: 'failed', id, ...failureOf(error) }),
  );
});
process.on('disconnect', () => {
  deleteExchangeFolders();
  process.kill(process.pid, 'SIGKILL');
});
// Ctrl-C reaches the whole process group. The test process handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

emit({ type: 'ready' });

/** Returns the message of an error, and the code of the refusal behind it. */
function failureOf(error: unknown): { readonly message: string; readonly code?: number } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'number' ? cause.code : undefined;
  return { message: error.message, ...(code === undefined ? {} : { code }) };
}
