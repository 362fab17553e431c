import type { Channel } from '#shared/domain/channel.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { PictureField as Field } from '../../../ui/Field/PictureField.tsx'
import { setImage } from '../commands.ts'
import { ChannelTile } from './ChannelTile.tsx'
import { pictureFrom } from './picture.ts'

/** The picture of the channel: chosen, made small here, and taken away again. */
export function PictureField({ channel, why }: { readonly channel: Channel; readonly why: string | undefined }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const { cid } = channel
  const send = async (file: File | undefined): Promise<ErrorBody | undefined> => {
    try {
      const image = file === undefined ? undefined : await pictureFrom(file)
      const sent = await dispatch(setImage({ cid, ...(image === undefined ? {} : { image }) }))
      return sent.ok ? undefined : sent.error
    } catch {
      // The browser could not read it as a picture.
      return { code: 'picture/unreadable' }
    }
  }
  return (
    <Field
      label={t('settings.picture')}
      picture={<ChannelTile cid={cid} />}
      chooseLabel={t('settings.choosePicture')}
      removeLabel={channel.image === undefined ? undefined : t('settings.removePicture')}
      disabled={why !== undefined}
      onSend={send}
    />
  )
}
