import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { channelTitle } from '../../channels/index.ts'
import { clearHistory, deleteChannel } from '../commands.ts'
import { leavePlace } from './leave-place.ts'
import { useQuestion } from './use-question.ts'
import styles from '../Info.module.css'

type Props = {
  readonly cid: Cid
  readonly words: { readonly title: string; readonly text: string; readonly confirm: string }
  readonly deed: () => Promise<Result<unknown, ErrorBody>>
  readonly onDone: () => void
}

/** What cannot be undone and concerns everybody is confirmed by the name of the channel. */
function TypedDialog({ cid, words, deed, onDone }: Props) {
  const t = useTexts('details')
  const name = useAppSelector((state) => channelTitle(state, cid))
  const [typed, setTyped] = useState('')
  const { working, error, setError, close, run } = useQuestion()
  const submit = async (): Promise<void> => {
    if (typed.trim() !== name.trim()) setError(t('clear.typeMissing'))
    else if (await run(deed())) onDone()
  }
  return (
    <Dialog
      width={400}
      title={words.title}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{t('delete.keep')}</Button>
          <Button type="submit" variant="danger" working={working} aria-disabled={typed.trim() !== name.trim()}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{words.text}</DialogText>
        <TextField
          label={t('delete.type', { name })}
          value={typed}
          error={error}
          autoComplete="off"
          spellCheck={false}
          onChange={(value) => {
            setTyped(value)
            setError(undefined)
          }}
        />
      </div>
    </Dialog>
  )
}

export function DeleteDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  return (
    <TypedDialog
      cid={cid}
      words={{ title: t('delete.title', { name }), text: t('delete.text'), confirm: t('delete.confirm') }}
      deed={() => dispatch(deleteChannel({ cid }))}
      onDone={() => dispatch(leavePlace(cid))}
    />
  )
}

export function ClearDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const { close } = useQuestion()
  return (
    <TypedDialog
      cid={cid}
      words={{ title: t('clear.title', { name }), text: t('clear.text'), confirm: t('clear.confirm') }}
      deed={() => dispatch(clearHistory({ cid }))}
      onDone={close}
    />
  )
}
