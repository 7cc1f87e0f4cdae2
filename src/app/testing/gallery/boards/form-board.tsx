import { m } from '../../../core/i18n/generated/messages.js';
import * as v from 'valibot';
import { ProductError } from '../../../core/product/product-error.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Checkbox } from '../../../../ui/kit/choices.tsx';
import { DateField } from '../../../../ui/kit/date-field.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { NumberField } from '../../../../ui/kit/number-field.tsx';
import { OtpField } from '../../../../ui/kit/otp-field.tsx';
import { PasswordField } from '../../../../ui/kit/password-field.tsx';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { TextArea } from '../../../ui/forms/text-area.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { Board } from './board.tsx';

const needed = () => '這一欄要填';
const schema = v.object({
  nickname: v.pipe(
    v.string(),
    v.minLength(1, needed),
    v.maxLength(12, () => '最多 12 個字'),
  ),
  password: v.pipe(
    v.string(),
    v.minLength(8, () => '至少 8 個字'),
  ),
  birthday: v.pipe(v.string(), v.minLength(1, needed)),
  city: v.pipe(
    v.string(),
    v.minLength(1, () => '請選一個城市'),
  ),
  price: v.pipe(v.nullable(v.number()), v.number(needed)),
  intro: v.pipe(
    v.string(),
    v.maxLength(300, () => '最多 300 個字'),
  ),
  code: v.pipe(
    v.string(),
    v.length(6, () => '驗證碼是 6 位數字'),
  ),
  adult: v.pipe(
    v.boolean(),
    v.literal(true, () => '要滿 18 歲才能使用'),
  ),
});

export default function FormBoard() {
  const form = useForm({
    schema,
    initial: { nickname: '', password: '', birthday: '', city: '', price: 30, intro: '', code: '', adult: false },
    // The server of this board refuses one nickname as taken, and is unreachable for all others.
    send: ({ nickname }) =>
      Promise.reject(
        nickname === '小婷'
          ? new ProductError('refused', 'taken', {
              status: 409,
              refusal: { code: 'taken', message: '', field: 'nickname' },
            })
          : new ProductError('unreachable', 'No answer'),
      ),
    refusals: { taken: () => '這個暱稱已經有人用了' },
  });
  return (
    <Board title="表單">
      <form {...form.props} style={{ display: 'grid', gap: 20 }}>
        <FormFailure words={form.failure} />
        <TextField label="暱稱" hint="其他人看得到" autoComplete="nickname" {...form.field('nickname')} />
        <PasswordField
          label="密碼"
          showLabel={m.password_show()}
          autoComplete="new-password"
          {...form.field('password')}
        />
        <DateField label="生日" autoComplete="bday" {...form.field('birthday')} />
        <SelectField
          label="城市"
          prompt={m.field_choose()}
          options={[
            { value: 'taipei', text: '台北' },
            { value: 'tainan', text: '台南' },
          ]}
          {...form.field('city')}
        />
        <NumberField
          label="每分鐘價格"
          lessLabel={m.field_less()}
          moreLabel={m.field_more()}
          min={20}
          max={120}
          step={10}
          {...form.field('price')}
        />
        <TextArea label="自我介紹" optional={m.field_optional()} most={300} {...form.field('intro')} />
        <OtpField label="驗證碼" hint="已寄到你的手機" {...form.field('code')} />
        <Checkbox
          label="我已滿 18 歲，並同意服務條款"
          name="adult"
          checked={form.values.adult}
          error={form.errors.adult}
          onChange={(agreed) => form.set('adult', agreed)}
        />
        <Button type="submit" look="primary" busy={form.isSending}>
          送出
        </Button>
      </form>
    </Board>
  );
}
