import { useState } from 'react'
import { PASSPHRASE_LENGTH } from '#shared/domain/account-file.ts'
import { passphraseStrength } from '#shared/rules/desktop/passphrase.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { TextField } from './TextField.tsx'

type Name = 'passphrase' | 'again'
type Fault = 'short' | 'different'

type NewPassphrase = ReturnType<typeof useNewPassphrase>

/** A new passphrase for a file, typed twice. */
export function useNewPassphrase() {
  const t = useTexts('data')
  const [values, setValues] = useState({ passphrase: '', again: '' })
  const [at, setAt] = useState<Name>()
  const message = useRemark((own: Fault) =>
    own === 'short' ? t('accountFile.strength.short', { count: PASSPHRASE_LENGTH.least }) : t('accountFile.different'),
  )
  const refuse = (name: Name, fault: Fault): undefined => {
    setAt(name)
    message.show(fault)
    return undefined
  }
  return {
    values,
    fault: message.text,
    at,
    type(name: Name, value: string) {
      setValues({ ...values, [name]: value })
      setAt(undefined)
      message.clear()
    },
    /** The passphrase, or nothing and a remark at the field that is wrong. */
    check(): string | undefined {
      if (passphraseStrength(values.passphrase) === 'short') return refuse('passphrase', 'short')
      if (values.passphrase !== values.again) return refuse('again', 'different')
      setAt(undefined)
      message.clear()
      return values.passphrase
    },
    /** It is not needed in this window anymore. */
    forget: () => setValues({ passphrase: '', again: '' }),
  }
}

export function NewPassphraseFields({ form }: { readonly form: NewPassphrase }) {
  const t = useTexts('data')
  const field = (name: Name) => ({
    label: t(`accountFile.${name}`),
    type: 'password',
    autoComplete: 'new-password',
    maxLength: PASSPHRASE_LENGTH.most,
    value: form.values[name],
    error: form.at === name ? form.fault : undefined,
    onChange: (value: string) => form.type(name, value),
  })
  return (
    <>
      <TextField {...field('passphrase')} hint={<Strength passphrase={form.values.passphrase} />} />
      <TextField {...field('again')} />
    </>
  )
}

/** Announced politely while it is typed, so that it can be made better before it is used. */
function Strength({ passphrase }: { readonly passphrase: string }) {
  const t = useTexts('data')
  return (
    <span role="status">
      {passphrase === ''
        ? t('accountFile.passphraseHint')
        : t(`accountFile.strength.${passphraseStrength(passphrase)}`, { count: PASSPHRASE_LENGTH.least })}
    </span>
  )
}
