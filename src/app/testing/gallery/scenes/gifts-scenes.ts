import type { Gift } from '../../../../protocol/product/gifts.ts';
import type { Wallet } from '../../../../protocol/product/wallet.ts';
import { galleryPerson } from '../gallery-profile.ts';
import type { Scenes, Stage } from '../scene.ts';
import { thread } from './chat-scenes.ts';

const coins: Readonly<Record<string, number>> = {
  rose: 10,
  'milk-tea': 30,
  cake: 66,
  bear: 99,
  bouquet: 299,
  champagne: 520,
  fireworks: 999,
  necklace: 1_314,
  ring: 1_999,
  'sports-car': 3_999,
  yacht: 6_666,
  castle: 9_999,
};
const gifts: Gift[] = Object.entries(coins).map(([gift_id, price]) => ({ gift_id, name: gift_id, coins: price }));
const wallet: Wallet = {
  coins: 1_280,
  held: 0,
  limit: 20_000,
  spent: 0,
  next_limit: null,
  next_limit_at: null,
  is_first_deposit: false,
};
const path = '/man-chat-list/c0';
const api = { ...thread, gifts: { gifts }, wallet };

/** Opens the sheet as a user does. */
async function open({ shown }: Stage): Promise<void> {
  (await shown('main :is(form, article) button[aria-haspopup="dialog"]')).click();
  await shown('[role=dialog]');
}

export const giftsScenes: Scenes = {
  'gift-sheet': { path, api, play: open },
  'gift-sheet-loading': { path, api: { ...api, gifts: 'loading' }, play: open },
  'gift-sheet-failed': { path, api: { ...api, gifts: 'failed' }, play: open },
  'gift-sheet-offline': { path, api: { ...api, gifts: 'loading' }, offline: true, play: open },
  'gift-sheet-profile': {
    path: '/woman-info/pei-han',
    api: { person: galleryPerson, gifts: { gifts }, wallet },
    play: open,
  },
  'gift-sheet-short': { path, api: { ...api, wallet: { ...wallet, coins: 4 } }, play: open },
};
