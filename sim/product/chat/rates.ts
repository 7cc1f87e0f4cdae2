import type { Budget } from '../../exchange/settings.ts';

/** Messages of one user: 20 a minute. */
export const MESSAGE_RATE: Budget = { burst: 20, perSecond: 20 / 60 };
/** Tellings of one user that they type. */
export const TYPING_RATE: Budget = { burst: 10, perSecond: 1 };
