import type { Quote } from '../../../protocol/product/calls.ts';

/** A man's quote for a video call. */
export const quote: Quote = {
  allowed: true,
  reason: null,
  rate: 40,
  max_minutes: 32,
  coins: 1_280,
  points: null,
};
