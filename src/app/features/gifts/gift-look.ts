import {
  CakeSlice,
  CarFront,
  Castle,
  CupSoda,
  Diamond,
  Flower2,
  Gem,
  Gift,
  type LucideIcon,
  Panda,
  Rose,
  Sailboat,
  Sparkles,
  Wine,
} from 'lucide-react';
import { m } from '../../core/i18n/generated/messages.js';

interface GiftLook {
  readonly Icon: LucideIcon;
  name(): string;
}

const looks: Readonly<Record<string, GiftLook>> = {
  rose: { Icon: Rose, name: m.gift_rose },
  'milk-tea': { Icon: CupSoda, name: m.gift_milk_tea },
  cake: { Icon: CakeSlice, name: m.gift_cake },
  bear: { Icon: Panda, name: m.gift_bear },
  bouquet: { Icon: Flower2, name: m.gift_bouquet },
  champagne: { Icon: Wine, name: m.gift_champagne },
  fireworks: { Icon: Sparkles, name: m.gift_fireworks },
  necklace: { Icon: Gem, name: m.gift_necklace },
  ring: { Icon: Diamond, name: m.gift_ring },
  'sports-car': { Icon: CarFront, name: m.gift_sports_car },
  yacht: { Icon: Sailboat, name: m.gift_yacht },
  castle: { Icon: Castle, name: m.gift_castle },
};

/** Returns the icon and the name of a gift. An unknown gift has the server's name. */
export function giftLook({ gift_id, name }: { gift_id: string; name: string }): { Icon: LucideIcon; name: string } {
  const look = Object.hasOwn(looks, gift_id) ? looks[gift_id] : undefined;
  return look ? { Icon: look.Icon, name: look.name() } : { Icon: Gift, name };
}
