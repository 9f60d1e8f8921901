ready.frontchat = ({ chat }) => {
  window.FrontChat?.("init", { chatId: chat, useDefaultLauncher: true });
};
