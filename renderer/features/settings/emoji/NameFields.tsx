import { EMOJI_NAME_LENGTH } from '#shared/domain/emoji.ts'
import { useTexts } from '../../../i18n/index.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'
import type { NamesForm } from './use-names-form.ts'
import styles from './Emoji.module.css'

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
