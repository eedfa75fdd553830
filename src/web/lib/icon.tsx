const paths = {
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4",
  panel: "M4 5h16v14H4zM14 5v14",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  plan: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  fork: "M7 4v16M7 14c0-4 10-2 10-7M17 4v3",
  rewind: "M4 5v5h5M4.5 10a8 8 0 1 1-.5 4",
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  rename: "M5 19l1-4L16 5l3 3L9 18z",
  down: "M12 5v14M6 13l6 6 6-6",
};

/** A small drawing in the color of the text; the button around it has the name. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="svg-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
