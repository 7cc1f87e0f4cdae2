import { type TextAreaProps, TextArea as KitTextArea } from '../../../ui/kit/text-area.tsx';
import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';

/** Renders a field for several lines of text with the texts of the app. */
export function TextArea(props: Omit<TextAreaProps, 'counterText' | 'leftText'>) {
  return (
    <KitTextArea
      {...props}
      counterText={(length, most) => m.field_counter({ length: formatNumber(length), most: formatNumber(most) })}
      leftText={(left) => m.field_counter_read({ left: formatNumber(left) })}
    />
  );
}
