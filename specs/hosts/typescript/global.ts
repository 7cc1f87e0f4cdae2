/** A page that loads the library by a script tag. The import is for its types only. */
import type {} from 'ringback/global';

export const dial: typeof SendBirdCall.dial = SendBirdCall.dial;
export const userId = (): string => SendBirdCall.currentUser.userId;
