import { useState } from 'react'
import type { Poll } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { sameOption } from '#shared/rules/polls/poll-form.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { suggestOption } from './commands.ts'

type Props = { readonly poll: Poll; readonly messageId: MessageId; readonly onClose: () => void }

/** Suggests another option. */
export function SuggestDialog({ poll, messageId, onClose }: Props) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const mine = poll.createdBy === useSession().userId
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const same = sameOption(text)
  const problem = poll.options.some((option) => same !== '' && sameOption(option.text) === same)
    ? t('form.problems.optionExists')
    : tried && same === ''
      ? t('form.problems.optionEmpty')
      : undefined
  const submit = async (): Promise<void> => {
    setTried(true)
    if (problem !== undefined || same === '' || working) return
    setWorking(true)
    const result = await dispatch(suggestOption({ messageId, text: text.trim() }))
    setWorking(false)
    if (result.ok) onClose()
    else setFailure(result.error)
  }
  return (
    <Dialog
      title={t(mine ? 'addOption' : 'suggest')}
      width={400}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t(mine ? 'addOption' : 'suggest')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('suggestion')}
        value={text}
        maxLength={500}
        autoComplete="off"
        onChange={(value) => {
          setText(value)
          setFailure(undefined)
        }}
        error={problem ?? (failure === undefined ? undefined : errorText(failure))}
      />
    </Dialog>
  )
}
