import { Coins } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { GIFT_COUNT, type Gift } from '../../../protocol/product/gifts.ts';
import { Loaded } from '../../ui/data/loaded.tsx';
import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../ui/kit/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { MoneyText } from '../../ui/money/money-text.tsx';
import { NumberField } from '../../../ui/kit/number-field.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { refusalCode, refusalText } from '../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../core/hooks/use-product.ts';
import { usePorts, useProduct } from '../../core/hooks/areas.ts';
import { useUi } from '../../ui/use-ui.ts';
import { type Combo, COMBO_MS, comboAfter } from './combo.ts';
import { depositPath } from './deposit-path.ts';
import { giftLook } from './gift-look.ts';
import styles from './gift-sheet.module.css';

/** The app asks before it sends a gift of this many coins or more, since a gift cannot be returned. */
const ASKED_FROM = 999;
const SKELETONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

interface GiftSheetProps {
  /** The id of the user who receives the gift. */
  to: string;
  name: string;
  onClose(): void;
}

/** Lists the gifts with their prices, and shows the balance. */
export function GiftSheet({ to, name, onClose }: GiftSheetProps) {
  const gifts = useProductQuery('gifts', {});
  return (
    <Modal label={m.gifts_title({ name })} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.gifts_title({ name })}</h2>
        <Loaded
          query={gifts}
          skeleton={
            <div className={styles.grid}>
              {SKELETONS.map((at) => (
                <Skeleton key={at} className={styles.skeleton} />
              ))}
            </div>
          }
        >
          {({ gifts: all }) => <Choice gifts={all} to={to} name={name} />}
        </Loaded>
      </div>
    </Modal>
  );
}

/** Chooses a gift and its count, and gives it. */
function Choice({ gifts, to, name }: { gifts: readonly Gift[]; to: string; name: string }) {
  const [giftId, setGiftId] = useState(gifts[0]?.gift_id ?? '');
  const [count, setCount] = useState<number | null>(1);
  const coins = useProductQuery('wallet', {}).data?.coins;
  const { give, isGiving, error, combo, isComboOf } = useGiving(to, name);
  const gift = gifts.find(({ gift_id }) => gift_id === giftId);
  if (gift === undefined) return null;
  const isCounted = count !== null && Number.isSafeInteger(count) && count >= 1 && count <= GIFT_COUNT;
  const total = gift.coins * (isCounted ? count : 1);
  const isShort = (coins !== undefined && coins < total) || refusalCode(error) === 'insufficient_coins';

  return (
    <>
      <GiftChoice gifts={gifts} chosen={giftId} onChoose={setGiftId} />
      <div className={styles.below}>
        <NumberField
          label={m.gifts_count()}
          lessLabel={m.field_less()}
          moreLabel={m.field_more()}
          min={1}
          max={GIFT_COUNT}
          value={count}
          onChange={setCount}
        />
        <p className={styles.balance}>
          <Coins aria-hidden="true" size={18} />
          {coins === undefined ? m.gifts_balance_unknown() : m.gifts_balance({ coins: formatNumber(coins) })}
        </p>
        <p className={styles.announcement} role="status">
          {combo !== null && m.gifts_given({ times: formatNumber(combo.times) })}
        </p>
        {error !== null && !isShort && (
          <p className={styles.error} role="alert">
            {refusalText(error)}
          </p>
        )}
        {isShort ? (
          <Recharge />
        ) : (
          <Button
            look="primary"
            busy={isGiving}
            disabled={!isCounted}
            onClick={() => void give(gift, isCounted ? count : 1)}
          >
            {isComboOf(gift)
              ? m.gifts_again({ coins: formatNumber(total) })
              : m.gifts_give_for({ coins: formatNumber(total) })}
          </Button>
        )}
        <p className={styles.note}>{m.gifts_note()}</p>
      </div>
    </>
  );
}

/** Returns the request that gives a gift to a user, and the combo of the last gifts. */
function useGiving(to: string, name: string) {
  const ports = usePorts();
  const { dialogs } = useUi();
  const { requestKeys } = useProduct();
  const [combo, setCombo] = useState<Combo | null>(null);
  const { mutate, isPending, error } = useProductMutation('sendGift', {
    invalidates: ['wallet', 'person'],
    onSettled: (_given, failure, { body }) => requestKeys.settled('sendGift', body, failure),
    onSuccess: ({ gift_id }) => setCombo((before) => comboAfter(before, gift_id, ports.clock.wallTime())),
  });

  async function give(gift: Gift, count: number): Promise<void> {
    const total = gift.coins * count;
    const agreed =
      total < ASKED_FROM ||
      (await dialogs.confirm({
        title: m.gifts_confirm({ name, gift: giftLook(gift).name, count: formatNumber(count) }),
        text: m.gifts_confirm_text({ coins: formatNumber(total) }),
        confirm: m.gifts_give(),
      }));
    if (!agreed) return;
    const body = { to, gift_id: gift.gift_id, count };
    mutate({ body, key: requestKeys.of('sendGift', body) });
  }

  return {
    give,
    isGiving: isPending,
    error,
    combo,
    /** Returns whether one more gift of this kind continues the combo. */
    isComboOf: ({ gift_id }: Gift): boolean =>
      combo !== null && combo.giftId === gift_id && ports.clock.wallTime() - combo.at <= COMBO_MS,
  };
}

interface GiftChoiceProps {
  gifts: readonly Gift[];
  /** The id of the chosen gift. */
  chosen: string;
  onChoose(giftId: string): void;
}

function GiftChoice({ gifts, chosen, onChoose }: GiftChoiceProps) {
  return (
    <fieldset className={styles.grid}>
      <legend className="visually-hidden">{m.gifts_choose()}</legend>
      {gifts.map((one) => {
        const look = giftLook(one);
        return (
          <label key={one.gift_id} className={styles.gift}>
            <input
              type="radio"
              name="gift"
              value={one.gift_id}
              checked={one.gift_id === chosen}
              onChange={() => onChoose(one.gift_id)}
            />
            <look.Icon className={styles.picture} aria-hidden="true" size={34} strokeWidth={1.5} />
            <span>{look.name}</span>
            <MoneyText amount={one.coins} unit="coins" />
          </label>
        );
      })}
    </fieldset>
  );
}

/** Links to the purchase of coins, with the way back to this page. */
function Recharge() {
  const { pathname } = useLocation();
  return (
    <>
      <p className={styles.error} role="alert">
        {m.gifts_short()}
      </p>
      <LinkButton look="primary" to={depositPath(pathname)}>
        {m.gifts_recharge()}
      </LinkButton>
    </>
  );
}
