import { EMOJI_NAME_LENGTH, type CustomEmoji, EMOJI_ALIASES } from '#shared/domain/emoji.ts'
import { useTexts, useErrorText } from '../../../i18n/index.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from './Emoji.module.css'
import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { selectEmojiList } from '../../../store/selectors.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { emojiNameFault, type EmojiNameFault } from '#shared/rules/messages/emoji.ts'

type Props = { readonly form: NamesForm; readonly nameHint: string }

/** The two fields of {@link NamesForm}, with other errors below. */
export function NameFields({ form, nameHint }: Props) {
  const t = useTexts('emoji')
  return (
    <>
      <TextField
        label={t('page.name')}
        hint={nameHint}
        value={form.name}
        maxLength={EMOJI_NAME_LENGTH}
        autoComplete="off"
        spellCheck={false}
        mono
        error={form.nameError}
        onChange={form.setName}
      />
      <TextField
        label={t('page.aliases')}
        optional={t('page.optional')}
        hint={t('page.aliasesHint')}
        value={form.aliases}
        maxLength={400}
        autoComplete="off"
        spellCheck={false}
        mono
        error={form.aliasesError}
        onChange={form.setAliases}
      />
      {form.otherError === undefined ? null : (
        <p role="alert" className={styles['error']}>
          {form.otherError}
        </p>
      )}
    </>
  )
}

type NamesForm = {
  readonly name: string
  readonly aliases: string
  readonly setName: (name: string) => void
  readonly setAliases: (aliases: string) => void
  readonly nameError: string | undefined
  readonly aliasesError: string | undefined
  /** An error that belongs to no field. */
  readonly otherError: string | undefined
  /** The validated names; undefined if invalid, and from then on errors are shown. */
  readonly take: () => { name: string; aliases: string[] } | undefined
  readonly refuse: (error: ErrorBody) => void
}

/** Form state for an emoji's name and aliases, with errors per field. */
export function useNamesForm(before: { name: string; aliases: readonly string[] }, own?: string): NamesForm {
  const t = useTexts('emoji')
  const errorText = useErrorText()
  const list = useAppSelector(selectEmojiList)
  const [name, setName] = useState(before.name)
  const [aliases, setAliases] = useState(before.aliases.join(', '))
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<ErrorBody>()
  const fault = tried ? namesFault(list, name, namesIn(aliases), own) : undefined
  const label = fault && t(`page.faults.${fault.fault}`, { name: fault.name, max: EMOJI_ALIASES })
  const changing =
    (set: (text: string) => void) =>
    (text: string): void => {
      setRefused(undefined)
      set(text)
    }
  return {
    name,
    aliases,
    setName: changing((text) => setName(text.toLowerCase())),
    setAliases: changing(setAliases),
    nameError: fault?.field === 'name' ? label : undefined,
    aliasesError: fault?.field === 'aliases' ? label : undefined,
    otherError: refused && errorText(refused),
    take() {
      setTried(true)
      const names = namesIn(aliases)
      return namesFault(list, name, names, own) === undefined ? { name, aliases: names } : undefined
    },
    refuse: setRefused,
  }
}

/** Parses `party, :yay:` into names without duplicates. */
const namesIn = (text: string): string[] => [...new Set(text.toLowerCase().split(/[\s,;:]+/))].filter(Boolean)

type NamesFault = { readonly field: 'name' | 'aliases'; readonly fault: EmojiNameFault | 'many'; name: string }

/** Validation error of an emoji's names; `own`: the emoji being renamed. */
function namesFault(
  list: readonly CustomEmoji[],
  name: string,
  aliases: readonly string[],
  own?: string,
): NamesFault | undefined {
  const others = list.filter((each) => each.name !== own)
  const taken = new Set(others.flatMap((each) => [each.name, ...each.aliases]))
  const faultOf = (field: NamesFault['field'], each: string): NamesFault | undefined => {
    const fault = emojiNameFault(each, taken)
    return fault && { field, fault, name: each }
  }
  const first = faultOf('name', name) ?? aliases.map((alias) => faultOf('aliases', alias)).find(Boolean)
  // A previous name stays as an alias.
  const former = own === undefined || own === name || aliases.includes(own) ? 0 : 1
  if (!first && aliases.length + former > EMOJI_ALIASES) return { field: 'aliases', fault: 'many', name }
  return first
}
