import type { EventOf } from '../../../../../protocol/product/events.ts';
import type { Quote } from '../../../../../protocol/product/calls.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import { type BillView, billView } from '../../call-billing.ts';
import type { ActiveCall } from '../../../../../react/index.ts';
import { quoteText } from '../quote-text.ts';
import { type CallSurroundings, type CallViewModel, callViewModel } from './call-view-model.ts';
import { resultHint } from './result-text.ts';

/** The content of the call screen at one moment, with the money of the call. */
export interface CallScreen {
  readonly view: CallViewModel;
  /** The cost or income of the call. Null without a bill of the server. */
  readonly bill: BillView | null;
  /** The minutes that the balance still pays for, when they are few. Otherwise null. */
  readonly lowMinutes: number | null;
  /** A line below the portrait. Null without one. */
  readonly note: string | null;
  /** What the user can do about the result of the call. Null without advice, and before the end. */
  readonly hint: string | null;
  /** True when the portrait of the other user leaves space for a picture or a summary. */
  readonly hasSmallPortrait: boolean;
  /** True while the sound of the muted microphone is measured, to remind a user who speaks. */
  readonly hearsMuted: boolean;
}

interface Money {
  /** The last bill of the call. Undefined without one. */
  readonly bill: EventOf<'call_billing'> | undefined;
  /** The cost of the last dialled call. Null when it is unknown. */
  readonly quote: Quote | null;
}

/** Returns the content of the call screen for a call, the state of the page and the money of the call. */
export function callScreen(call: ActiveCall, surroundings: CallSurroundings, { bill, quote }: Money): CallScreen {
  const view = callViewModel(call, surroundings);
  const money = bill === undefined ? null : billView(bill, surroundings.now);
  return {
    view,
    bill: money,
    lowMinutes: money?.kind === 'pays' && money.warning?.name === 'low' ? money.warning.minutes : null,
    note: noteOf(call, view, quote),
    hint: hintOf(view, quote),
    hasSmallPortrait: view.phase.name === 'ended' || (call.kind === 'video' && view.selfView === 'stage'),
    hearsMuted: view.phase.name === 'connected' && isOff(view, 'microphone'),
  };
}

/** Returns the cost while the caller's call rings, or later why the other user's picture is missing. */
function noteOf({ kind, role }: ActiveCall, { phase, selfView }: CallViewModel, quote: Quote | null): string | null {
  if (phase.name === 'outgoing' && role === 'caller') return quoteText(quote);
  return kind === 'video' && selfView === 'corner' ? m.call_remote_camera_off() : null;
}

function hintOf({ phase, name }: CallViewModel, quote: Quote | null): string | null {
  if (phase.name !== 'ended') return null;
  const isUnavailable = phase.result === 'dial_failed' && quote?.allowed === false;
  return isUnavailable ? m.call_unavailable({ name }) : resultHint(phase.result);
}

function isOff(view: CallViewModel, name: 'microphone' | 'camera'): boolean {
  return view.controls.some((control) => control.name === name && !control.on && !control.disabled);
}
