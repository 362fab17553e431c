import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { TypedDialog as Typed } from '../../../ui/Dialog/TypedDialog.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { clearHistory, deleteChannel } from '../commands.ts'
import { leavePlace } from './leave-place.ts'
import { useQuestion } from './use-question.ts'

type Props = {
  readonly cid: Cid
  readonly text: { readonly title: string; readonly text: string; readonly confirm: string }
  readonly action: () => Promise<Result<unknown, ErrorBody>>
  readonly onDone: () => void
}

function TypedDialog({ cid, text, action, onDone }: Props) {
  const name = useAppSelector((state) => channelTitle(state, cid))
  const { run, close, clear, working, error } = useQuestion()
  const confirm = async (): Promise<void> => {
    if (await run(action())) onDone()
  }
  return (
    <Typed
      {...text}
      name={name}
      working={working}
      error={error}
      onTyped={clear}
      onConfirm={() => void confirm()}
      onClose={close}
    />
  )
}

export function DeleteDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  return (
    <TypedDialog
      cid={cid}
      text={{ title: t('delete.title', { name }), text: t('delete.text'), confirm: t('delete.confirm') }}
      action={() => dispatch(deleteChannel({ cid }))}
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
      text={{ title: t('clear.title', { name }), text: t('clear.text'), confirm: t('clear.confirm') }}
      action={() => dispatch(clearHistory({ cid }))}
      onDone={close}
    />
  )
}
