import { useId, useRef, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button.tsx'
import { setImage } from '../commands.ts'
import { ChannelTile } from './ChannelTile.tsx'
import { pictureFrom } from './picture.ts'
import styles from '../Info.module.css'

/** The picture of the channel: chosen, made small here, and taken away again. */
export function PictureField({ channel, why }: { readonly channel: Channel; readonly why: string | undefined }) {
  const t = useTexts('details')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [working, setWorking] = useState(false)
  const { cid } = channel
  const send = async (file: File | undefined): Promise<void> => {
    setWorking(true)
    setError(undefined)
    try {
      const image = file === undefined ? undefined : await pictureFrom(file)
      const sent = await dispatch(setImage({ cid, ...(image === undefined ? {} : { image }) }))
      if (!sent.ok) setError(errorText(sent.error))
    } catch {
      // The browser could not read it as a picture.
      setError(t('settings.badPicture'))
    }
    setWorking(false)
  }
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className={styles['label']}>
        {t('settings.picture')}
      </span>
      <div className={styles['file']}>
        <ChannelTile cid={cid} />
        <div className={styles['formFoot']}>
          <Button
            size="small"
            working={working}
            aria-disabled={why !== undefined}
            onClick={() => why === undefined && field.current?.click()}
          >
            {t('settings.choosePicture')}
          </Button>
          {channel.image === undefined || why !== undefined ? null : (
            <Button size="small" variant="quiet" onClick={() => void send(undefined)}>
              {t('settings.removePicture')}
            </Button>
          )}
        </div>
        <input
          ref={field}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className={styles['fileField']}
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file !== undefined) void send(file)
          }}
        />
      </div>
      {error === undefined ? null : (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
