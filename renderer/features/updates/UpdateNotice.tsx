import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { Toast, ToastActions } from '../../ui/Toast/Toast.tsx'
import { downloadUpdate, installUpdate, putOffUpdate, skipUpdate } from './UpdateRows.tsx'

/** Announces a new version, at most once a day. Shown until the user acts; dismissing postpones it. */
export function UpdateNotice() {
  const t = useTexts('updates')
  const dispatch = useAppDispatch()
  const { stage, version = '', announced } = useAppSelector(({ updates }) => updates)
  const kind = stage === 'ready' || stage === 'found' ? stage : undefined
  const title = kind === undefined || !announced ? undefined : t(`notice.${kind}`, { version })
  if (kind === undefined || title === undefined) return null
  const later = (): void => void dispatch(putOffUpdate(undefined))
  return (
    <Toast
      icon="download"
      tone="info"
      title={title}
      announcement={{ text: title }}
      dismissLabel={t('notice.dismiss')}
      onDismiss={later}
    >
      <p>{t(`notice.${kind}Text`)}</p>
      <ToastActions>
        <button
          type="button"
          onClick={() => void dispatch(kind === 'ready' ? installUpdate(undefined) : downloadUpdate(undefined))}
        >
          {t(kind === 'ready' ? 'restart' : 'download')}
        </button>
        <button type="button" onClick={later}>
          {t('later')}
        </button>
        <button type="button" onClick={() => void dispatch(skipUpdate(undefined))}>
          {t('skip')}
        </button>
      </ToastActions>
    </Toast>
  )
}
