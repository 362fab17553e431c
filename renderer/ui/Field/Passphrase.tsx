import { useState } from 'react'
import { PASSPHRASE_LENGTH, isLongEnough } from '#shared/domain/account-file.ts'
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

/** `short`: refused. */
type PassphraseStrength = 'short' | 'weak' | 'fair' | 'strong'

/** Bits of guessing from which each begins: a file can be attacked for years, at a few guesses in a second. */
const FAIR_BITS = 40
const STRONG_BITS = 60
/** A word that someone chose, not the dice: of about two thousand. */
const WORD_BITS = 11

/** Spaces with the marks of a sentence around them, and what joins words without spaces. */
const BETWEEN_WORDS = /\p{P}*\s+\p{P}*|^\p{P}+|\p{P}+$|[._-]+/u
/** A word, as in `don’t` too, and a number after it. */
const WORD = /^\p{L}+(?:['’]\p{L}+)?\d*$/u

/**
 * How hard a passphrase is to guess: by its words if there are several, otherwise by its characters. Repeated characters,
 * repeated words and runs such as `abcd` or `4321` add nothing. Rough: it says what is certainly weak, not what is safe.
 */
export function passphraseStrength(passphrase: string): PassphraseStrength {
  const text = passphrase.normalize('NFKC')
  if (!isLongEnough(text)) return 'short'
  const parts = text.split(BETWEEN_WORDS).filter((part) => part !== '')
  const words = new Set(parts.map((part) => part.toLowerCase()).filter((part) => Array.from(part).length >= 3))
  const isPhrase = parts.length >= 2 && parts.every((part) => WORD.test(part))
  const bits = isPhrase ? words.size * WORD_BITS + extraBits(text) : letterBits(text)
  return bits >= STRONG_BITS ? 'strong' : bits >= FAIR_BITS ? 'fair' : 'weak'
}

/** Digits and capitals between the words. */
const extraBits = (text: string): number =>
  (/\d/u.test(text) ? 4 : 0) + (/\p{L}\p{Lu}|\p{Lu}\p{Lu}/u.test(text) ? 2 : 0)

function letterBits(text: string): number {
  const letters = Array.from(text)
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/\p{Ll}/u, 26],
    [/\p{Lu}/u, 26],
    [/\d/u, 10],
    [/[^\p{L}\p{N}]/u, 20],
  ]
  const alphabet = kinds.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0)
  const counted = letters.filter((letter, at) => {
    const before = letters[at - 1]
    const step = before === undefined ? 2 : (letter.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)
    return Math.abs(step) > 1 && letters.indexOf(letter) >= at - 8
  })
  // People write words, not random letters: about two bits less for each character.
  return counted.length * Math.max(1, Math.log2(Math.max(2, alphabet)) - 2)
}
