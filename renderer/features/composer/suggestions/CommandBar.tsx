import { useTexts } from '../../../i18n/index.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useCommandTexts } from './use-command-texts.ts'
import type { ComposerModel } from '../use-composer.ts'
import { writtenName } from './written-command.ts'
import styles from '../Composer.module.css'

/** Above the field: the command in the text, its arguments, and a button that removes it. */
export function CommandBar({ model }: { readonly model: ComposerModel }) {
  const t = useTexts('composer')
  const text = useCommandTexts()
  const { written } = model.command
  if (written === undefined || model.composer.editing !== undefined) return null
  const { name, args } = written.command
  const remove = (): void => {
    model.edit({ from: 0, to: writtenName(model.composer.text).length, insert: '', selectFrom: 0, selectTo: 0 })
  }
  return (
    <div className={styles['context']}>
      <Icon name="slash" size={16} />
      <span className={styles['contextText']}>
        <b>
          {/* A command is code and always left to right. */}
          <bdi dir="ltr">{`/${name} ${args}`.trim()}</bdi>
        </b>{' '}
        {text(written.command)}
      </span>
      <IconButton icon="x" size="tiny" label={t('commands.remove', { name })} onClick={remove} />
    </div>
  )
}
