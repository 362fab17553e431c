import { useState } from 'react'
import type { Message, MessageButton } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { dismissAnswer, pressButton } from '../actions/commands.ts'
import styles from './Answer.module.css'
import row from './MessageRow.module.css'

type Props = { readonly message: Message }

const NO_BUTTONS: readonly MessageButton[] = []

/**
 * Below the response of a slash command, or the error for one: its buttons, a note that only the viewer sees it, and a
 * button that dismisses it.
 */
export function Answer({ message }: Props) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const [pressed, setPressed] = useState<string>()
  const messageId = message.id
  const press = async ({ name, value }: MessageButton): Promise<void> => {
    setPressed(value)
    await dispatch(pressButton({ messageId, name, value }))
    setPressed(undefined)
  }
  return (
    <div className={styles['answerFoot']} role="group" aria-label={t('answer.buttons')}>
      {(message.buttons ?? NO_BUTTONS).map((button) => (
        <Button
          key={`${button.name} ${button.value}`}
          size="small"
          variant={button.style === 'default' ? 'secondary' : button.style}
          working={pressed === button.value}
          disabled={pressed !== undefined && pressed !== button.value}
          onClick={() => void press(button)}
        >
          {button.text}
        </Button>
      ))}
      <span className={row['note']}>
        <Icon name="eye" size={13} />
        {t('answer.onlyYou')}
      </span>
      <button type="button" className={styles['dismiss']} onClick={() => void dispatch(dismissAnswer({ messageId }))}>
        {t('answer.dismiss')}
      </button>
    </div>
  )
}
