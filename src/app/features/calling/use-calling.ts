import type { Quote } from '../../../protocol/product/calls.ts';
import { createArea } from '../../core/hooks/create-area.ts';
import type { ReadableStore } from '../../../common/store.ts';
import type { CallBilling } from './call-billing.ts';
import type { CallingService } from './calling-service.ts';
import type { Dialer } from './dialer.ts';
import type { CallDock } from './overlays/dock/call-dock.ts';

/** The calls of the page, and what they cost. */
export interface CallingArea {
  readonly calling: CallingService;
  readonly dialer: Dialer;
  /** The price or the earnings of the ringing call. Null until they are known. */
  readonly incomingQuote: ReadableStore<Quote | null>;
  readonly callDock: CallDock;
  readonly billing: CallBilling;
}

export const [CallingProvider, useCalling] = createArea<CallingArea>('calling');
