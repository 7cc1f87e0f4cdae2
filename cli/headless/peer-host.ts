/**
 * The peer host: the process that runs the calling library over the native engine, for one headless caller. caller.ts
 * forks it, sends its assignment over IPC, and kills it after its verdict.
 */
import * as v from 'valibot';
import { writeLine } from '../reporters/printable.ts';
import { type HostCommand, hostCommand, type HostEvent } from './messages.ts';
import { runAssignment, type RunningAssignment } from './run-assignment.ts';

let running: RunningAssignment | null = null;

const emit = (event: HostEvent) => {
  // Without its parent this process has no purpose, so it exits too.
  if (process.connected) process.send?.(event);
};

const execute = async (command: HostCommand) => {
  if (command.type === 'assignment') {
    running ??= runAssignment(command, emit, (line) => writeLine(process.stderr, line));
    return;
  }
  if (command.type === 'accept') {
    running?.accept();
    return;
  }
  // An explicit exit: a process with native media crashes when it ends by itself.
  if (!(await running?.hangUp())) process.exit(0);
};

process.on('message', (message) => {
  const parsed = v.safeParse(hostCommand, message);
  if (parsed.success) void execute(parsed.output);
  else process.exit(1);
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

emit({ type: 'ready' });
