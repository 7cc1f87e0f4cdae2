import type { Question } from '../../../ui/dialogs/dialogs.ts';
import { m } from '../../core/i18n/generated/messages.js';
import type { CallsState } from '../../../react/index.ts';
import { isCallUp } from '../calling/call-state.ts';
import type { Clock, Timer } from '../../../common/clock.ts';
import type { ReadableStore } from '../../../common/store.ts';
import type { AppWorker } from './app-worker.ts';

const ASK_AGAIN_MS = 60 * 60 * 1_000;

interface Dependencies {
  worker: Pick<AppWorker, 'hasUpdate' | 'update'>;
  calls: ReadableStore<CallsState>;
  /** The kind of the room that the user is in. */
  stay: ReadableStore<unknown>;
  /** Resolves to true when the user wants the new version now. The signal closes the question. */
  confirm(signal: AbortSignal): Promise<boolean>;
  clock: Clock;
}

/**
 * Asks whether to load the new version (app-shell §4), never while a call rings or is live, or in a room. After a refusal
 * it asks again in an hour. A call or a stay that begins closes the question, which is asked again after it (F65).
 * | @returns the function that stops this.
 */
export function offerUpdates({ worker, calls, stay, confirm, clock }: Dependencies): () => void {
  let step: 'waiting' | 'asking' | 'refused' | 'stopped' = 'waiting';
  let question: AbortController | undefined;
  let askAgain: Timer | undefined;

  const isBusy = (): boolean => isCallUp(calls.get()) || stay.get() !== null;

  function review(): void {
    if (isBusy()) question?.abort();
    else if (step === 'waiting' && worker.hasUpdate.get()) void ask();
  }

  async function ask(): Promise<void> {
    step = 'asking';
    const mine = new AbortController();
    question = mine;
    const isWanted = await confirm(mine.signal);
    question = undefined;
    if (isStopped()) return;
    if (mine.signal.aborted || isBusy()) {
      step = 'waiting';
      review();
    } else if (isWanted) {
      stop();
      worker.update();
    } else {
      step = 'refused';
      askAgain = clock.after(ASK_AGAIN_MS, () => {
        step = 'waiting';
        review();
      });
    }
  }

  const isStopped = (): boolean => step === 'stopped';

  const unfollow = [worker.hasUpdate.subscribe(review), calls.subscribe(review), stay.subscribe(review)];
  function stop(): void {
    step = 'stopped';
    question?.abort();
    askAgain?.cancel();
    for (const undo of unfollow) undo();
  }
  review();
  return stop;
}

/** Returns the question about a new version. */
export const updateQuestion = (): Question => ({
  title: m.pwa_update_title(),
  text: m.pwa_update_text(),
  confirm: m.pwa_update_yes(),
  cancel: m.pwa_update_later(),
});
