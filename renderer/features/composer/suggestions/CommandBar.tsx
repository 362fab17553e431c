import { useTexts } from '../../../i18n/index.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useCommandTexts } from './use-command-texts.ts'
import type { ComposerModel } from '../use-composer.ts'
import { writtenName } from './written-command.ts'
import styles from '../Composer.module.css'

/** Over the field: which command the text is, what it takes, and the way to have it be none. */
export function CommandBar({ it }: { readonly it: ComposerModel }) {
  const t = useTexts('composer')
  const text = useCommandTexts()
  const { written } = it.command
  if (written === undefined || it.composer.editing !== undefined) return null
  const { name, args } = written.command
  const remove = (): void => {
    it.edit({ from: 0, to: writtenName(it.composer.text).length, insert: '', selectFrom: 0, selectTo: 0 })
  }
  return (
    <div className={styles['context']}>
      <Icon name="slash" size={16} />
      <span className={styles['contextWords']}>
        <b>
          {/* A command is code: its direction does not follow the language. */}
          <bdi dir="ltr">{`/${name} ${args}`.trim()}</bdi>
        </b>{' '}
        {text(written.command)}
      </span>
      <IconButton icon="x" size="tiny" label={t('commands.remove', { name })} onClick={remove} />
    </div>
  )
}
