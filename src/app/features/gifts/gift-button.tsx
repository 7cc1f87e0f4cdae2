import { Gift } from 'lucide-react';
import { useState } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { IconButton } from '../../../ui/kit/button.tsx';
import { onDemand } from '../shell/on-demand.tsx';

const { Part: GiftSheet } = onDemand(async () => (await import('./gift-sheet.tsx')).GiftSheet);

/** Opens the gifts that the user can send to another user. */
export function GiftButton({ to, name, className = '' }: { to: string; name: string; className?: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label={m.gifts_open()}
        icon={<Gift aria-hidden="true" />}
        aria-haspopup="dialog"
        className={className}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <GiftSheet to={to} name={name} onClose={() => setIsOpen(false)} />}
    </>
  );
}
