// Pictures in the chat: made small enough to be sent, and shown. None is asked of another host.

import { el } from "./dom.js";
import { text } from "./texts.js";

/** @import { ChatLine } from "./protocol.d.ts" */

/** The most columns and rows that the server hands on. */
const PICTURE_SIDES = [320, 240];
/** The formats of a canvas that are tried until the picture is small enough. */
const PICTURE_FORMATS = /** @type {const} */ ([
  ["image/png", 1],
  ["image/jpeg", 0.85],
  ["image/jpeg", 0.6],
  ["image/jpeg", 0.3],
]);

/**
 * The picture of a file in base64, with at most so many characters.
 * @param {Blob} file
 * @param {number} most
 */
export async function smallPicture(file, most) {
  const picture = await createImageBitmap(file);
  const [columns, rows] = PICTURE_SIDES;
  const scale = Math.min(1, columns / picture.width, rows / picture.height);
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const canvas = el("canvas", { width, height });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error(text("noPicture"));
  pen.fillStyle = "white";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, 0, 0, width, height);
  picture.close();
  for (const [format, quality] of PICTURE_FORMATS) {
    const data = canvas.toDataURL(format, quality).split(",")[1];
    if (data.length <= most) return data;
  }
  throw new Error(text("noPicture"));
}

/** @param {ChatLine} line */
export function shownPicture({ from, picture }) {
  if (!picture) return null;
  const { type, width, height, data } = picture;
  const alt = text("pictureBy", from || text("guest"));
  return el("img", { src: `data:image/${type};base64,${data}`, width, height, alt });
}
