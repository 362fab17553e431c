import { useState } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'

type Props = {
  readonly title: string
  /** Paragraphs. */
  readonly texts: readonly string[]
  readonly confirm: string
  /** Announced afterwards. */
  readonly done?: string
  /** Why it cannot be confirmed now. */
  readonly blocked?: string
  readonly onConfirm: () => Promise<Result<unknown, ErrorBody>>
  readonly onClose: () => void
  /** Afterwards, when it is closed. */
  readonly onDone?: () => void
}

/** Asks before something is done that cannot be undone; a refusal is shown in place. */
export function Question({ title, texts, confirm, done, blocked, onConfirm, onClose, onDone }: Props) {
  const common = useTexts('common')
  const [working, setWorking] = useState(false)
  const refusal = useRemark()
  const submit = async (): Promise<void> => {
    if (blocked !== undefined || working) return
    refusal.clear()
    setWorking(true)
    const result = await onConfirm()
    setWorking(false)
    if (!result.ok) return refusal.refuse(result.error)
    if (done !== undefined) announce(done)
    onClose()
    onDone?.()
  }
  return (
    <Dialog
      alert
      width={400}
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={blocked}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={working} aria-disabled={blocked !== undefined || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      {texts.map((text) => (
        <DialogText key={text}>{text}</DialogText>
      ))}
      <Refusal text={refusal.text} />
    </Dialog>
  )
}
