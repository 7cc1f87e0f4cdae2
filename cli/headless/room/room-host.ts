/** The room host: the process that runs one stay in a room, or a crowd, over the native engine. */
import * as v from 'valibot';
import { writeLine } from '../../reporters/printable.ts';
import { type RoomCommand, roomCommand, type RoomHostEvent } from './room-messages.ts';
import { startCrowd } from './crowd.ts';
import { startVisit } from './visit.ts';

interface Running {
  leave(): Promise<boolean>;
}

let running: Running | null = null;

const emit = (event: RoomHostEvent) => {
  // Without its parent this process has no purpose, so it exits too.
  if (process.connected) process.send?.(event);
};
const log = (line: string) => writeLine(process.stderr, line);

const execute = async (command: RoomCommand) => {
  if (command.type === 'visit') running ??= startVisit(command, emit, log);
  else if (command.type === 'crowd') running ??= startCrowd(command, emit, log);
  // An explicit exit: a process with native media crashes when it ends by itself.
  else if (!(await running?.leave())) process.exit(0);
};

process.on('message', (message) => {
  const parsed = v.safeParse(roomCommand, message);
  if (parsed.success) void execute(parsed.output);
  else process.exit(1);
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

emit({ type: 'ready' });
