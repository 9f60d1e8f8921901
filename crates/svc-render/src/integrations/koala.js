prepare.koala = () => {
  window.ko ??= [];
};
