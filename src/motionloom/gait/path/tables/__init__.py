"""Tables of gait, ready to be laid on a way: of persons and styles, with strides that vary."""
