import { DoorOpen } from 'lucide-react';
import { useStore } from '../../../../ui/store/use-store.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { displayName } from '../../calling/call-state.ts';
import notices from '../../calling/overlays/call-view/parts/notices.module.css';
import type { CallMove, MoveState } from '../move-call.ts';
import { useCallMove } from '../use-call-move.ts';
import { useMovePrice } from '../use-move-price.ts';

/** Shows in the call that it is about to become a room, and how that ended. */
export function MoveNotice() {
  const move = useCallMove();
  const state = useStore(move.state);
  return <div role="status">{state !== null && <Notice state={state} move={move} />}</div>;
}

function Notice({ state, move }: { state: MoveState; move: CallMove }) {
  const name = displayName(state.party);
  const price = useMovePrice();
  return (
    <div className={notices.notice} data-look="glass">
      <span aria-hidden="true">
        <DoorOpen />
      </span>
      <span>
        {WORDS[state.name]({ name })}
        {state.name === 'asking' && price !== null && ` ${price}`}
      </span>
      {state.name !== 'going' && (
        <button type="button" onClick={move.cancel}>
          {state.name === 'asking' ? m.dialog_cancel() : m.dialog_ok()}
        </button>
      )}
    </div>
  );
}

const WORDS: Readonly<Record<MoveState['name'], (words: { name: string }) => string>> = {
  asking: m.move_asking,
  going: m.move_going,
  declined: m.move_declined,
  failed: m.move_failed,
};
